import type { en } from '../en/guest.ts'

export const de = {
  title: 'Gast',
  loading: 'Deine Einladung wird gelesen',
  heading: (room: string): string => `Du bist eingeladen: ${room}`,
  about: (inviter: string, organization: string): string =>
    `${inviter} von ${organization} hat dich eingeladen.`,
  until: (time: string): string => `Der Link gilt bis ${time}.`,
  name: 'Dein Name',
  nameHint: 'Wer dich einlässt, sieht ihn, und alle im Raum.',
  ask: 'Um Einlass bitten',
  asking: 'Du bittest um Einlass …',
  nothing: 'Dieser Link führt nirgends hin',
  nothingAbout: 'Öffne ihn so, wie er dir geschickt wurde, oder bitte um einen anderen.',
  over: 'Dieser Link gilt nicht mehr',
  overAbout: 'Er ist abgelaufen oder wurde zurückgenommen. Bitte, wer dich eingeladen hat, um einen anderen.',
  failed: 'Du konntest nicht um Einlass bitten',
  tryAgain: 'Noch einmal versuchen',
  waiting: 'Du wartest vor der Tür',
  waitingAbout: (organization: string, room: string): string =>
    `Die Verwaltung von ${organization} lässt dich in ${room} ein. Lass diese Seite offen: Du trittst dann von selbst ein, mit den gewählten Geräten. Vorher sieht und hört dich niemand.`,
  told: 'Jemand, der dich einlassen kann, ist da und weiß Bescheid.',
  notTold: 'Im Augenblick ist niemand da, der dich einlassen kann. Wer kommt, erfährt es gleich.',
  stop: 'Nicht mehr warten',
  denied: 'Du wurdest nicht eingelassen',
  deniedAbout: 'Jemand hat dich abgewiesen. War das ein Versehen, sag es denen, die dich eingeladen haben.',
  removed: 'Du wurdest hinausgebeten',
  removedAbout: 'Jemand, der das darf, hat deinen Besuch beendet.',
  left: 'Du hast den Raum verlassen',
  leftAbout: 'Mikrofon und Kamera sind geschlossen. Du kannst diese Seite schließen.',
  again: 'Noch einmal um Einlass bitten',
} satisfies typeof en
