import type { en } from '../en/guest.ts'

export const de = {
  title: 'Gast',
  loading: 'Ihre Einladung wird gelesen',
  heading: (room: string): string => `Sie sind eingeladen: ${room}`,
  about: (inviter: string, organization: string): string =>
    `${inviter} von ${organization} hat Sie eingeladen.`,
  until: (time: string): string => `Der Link gilt bis ${time}.`,
  name: 'Ihr Name',
  nameHint: 'Wer Sie einlässt, sieht ihn, und alle im Raum.',
  ask: 'Um Einlass bitten',
  asking: 'Sie bitten um Einlass …',
  nothing: 'Dieser Link führt nirgends hin',
  nothingAbout: 'Öffnen Sie ihn so, wie er Ihnen geschickt wurde, oder bitten Sie um einen anderen.',
  over: 'Dieser Link gilt nicht mehr',
  overAbout:
    'Er ist abgelaufen oder wurde zurückgenommen. Bitten Sie, wer Sie eingeladen hat, um einen anderen.',
  failed: 'Sie konnten nicht um Einlass bitten',
  tryAgain: 'Noch einmal versuchen',
  waiting: 'Sie warten vor der Tür',
  waitingAbout: (room: string): string =>
    `Jemand in ${room} lässt Sie ein. Lassen Sie diese Seite offen: Sie treten dann von selbst ein, mit den gewählten Geräten. Vorher sieht und hört Sie niemand.`,
  told: 'Jemand, der Sie einlassen kann, ist da und weiß Bescheid.',
  notTold: 'Im Augenblick ist niemand da, der Sie einlassen kann. Wer kommt, erfährt es gleich.',
  recorded: 'Dieser Raum wird aufgezeichnet. Wer eintritt, wird mit Ton und Bild aufgezeichnet.',
  stop: 'Nicht mehr warten',
  denied: 'Sie wurden nicht eingelassen',
  deniedAbout:
    'Jemand hat Sie abgewiesen. War das ein Versehen, sagen Sie es denen, die Sie eingeladen haben.',
  removed: 'Sie wurden hinausgebeten',
  removedAbout: 'Jemand, der das darf, hat Ihren Besuch beendet.',
  left: 'Sie haben den Raum verlassen',
  leftAbout: 'Mikrofon und Kamera sind geschlossen. Sie können diese Seite schließen.',
  again: 'Noch einmal um Einlass bitten',
} satisfies typeof en
