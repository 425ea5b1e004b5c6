export const en = {
  refused: {
    unreadable: 'This file is no picture that can be shown.',
    'too-small': 'Choose a picture of at least 128 by 128 pixels.',
    'too-large': 'This picture is too large.',
  },
  opening: 'Opening the picture',
  cropTitle: 'Choose what is shown',
  cropAbout: 'Drag the picture, or move the sliders.',
  zoom: 'Zoom',
  across: 'Left and right',
  down: 'Up and down',
  use: 'Use this picture',
  cameraTitle: 'Take a picture',
  noCamera: 'No camera could be opened. Allow it in the browser, or choose a file.',
  take: 'Take it',
  cancel: 'Cancel',
}
