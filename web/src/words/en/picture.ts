export const en = {
  refused: {
    unreadable: 'This file is no picture that can be shown.',
    'too-small': 'Choose a picture of at least 128 by 128 pixels.',
    'too-large': 'This picture is too large.',
  },
}
