import type { en } from '../en/picture.ts'

export const de = {
  refused: {
    unreadable: 'Diese Datei ist kein Bild, das sich zeigen lässt.',
    'too-small': 'Wähle ein Bild von mindestens 128 mal 128 Bildpunkten.',
    'too-large': 'Dieses Bild ist zu groß.',
  },
} satisfies typeof en
