import type { en } from '../en/picture.ts'

export const de = {
  refused: {
    unreadable: 'Diese Datei ist kein Bild, das sich zeigen lässt.',
    'too-small': 'Wähle ein Bild von mindestens 128 mal 128 Bildpunkten.',
    'too-large': 'Dieses Bild ist zu groß.',
  },
  opening: 'Das Bild wird geöffnet',
  cropTitle: 'Sichtbaren Teil wählen',
  cropAbout: 'Zieh das Bild, oder bewege die Regler.',
  zoom: 'Größe',
  across: 'Links und rechts',
  down: 'Oben und unten',
  use: 'Dieses Bild nehmen',
  cameraTitle: 'Foto aufnehmen',
  noCamera: 'Keine Kamera ließ sich öffnen. Erlaube sie im Browser, oder wähle eine Datei.',
  take: 'Aufnehmen',
  cancel: 'Abbrechen',
} satisfies typeof en
