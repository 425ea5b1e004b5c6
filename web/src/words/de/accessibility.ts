import type { en } from '../en/accessibility.ts'

export const de = {
  title: 'Barrierefreiheit',
  about: 'Dieses Büro ist für alle da. Was hilft, und wo du meldest, was nicht geht.',
  facts: [
    'Alles geht mit der Tastatur allein. Auf dem Plan führen Pfeiltasten von Raum zu Raum, Tab zu den Personen darin.',
    'Den Plan gibt es auch als Liste, mit denselben Namen und Handlungen, für Screenreader und für alle, die Listen mögen.',
    'Text darf doppelt so groß sein. Farben folgen deinem Gerät: hell, dunkel und mit hohem Kontrast.',
    'Nichts wird nur mit Farbe oder nur mit Ton gesagt. Räume haben Untertitel, wo das Büro sie anbietet.',
  ],
  onThisDevice: 'Auf diesem Gerät',
  lessMotion: 'Weniger Bewegung',
  theme: 'Farben',
  themes: { system: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  barrier:
    'Etwas steht dir im Weg? Sag es denen, die dieses Büro betreiben: Es ist ein Fehler, und er lässt sich beheben.',
  back: 'Ins Büro',
} satisfies typeof en
