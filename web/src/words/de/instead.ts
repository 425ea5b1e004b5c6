import type { en } from '../en/instead.ts'

export const de = {
  loading: 'Einen Moment',
  tryAgain: 'Noch einmal versuchen',
  toOffice: 'Zum Büro',
  away: 'Das Büro antwortet nicht',
  awayAbout:
    'Nichts ist verloren: Was du geschrieben hast, wartet hier und wird gesendet, sobald das Büro antwortet. Diese Seite kommt von selbst wieder.',
  brokenTitle: 'Hier ist etwas schiefgegangen',
  brokenAbout: 'Lade die Seite neu. Passiert es zweimal, sag es denen, die dieses Büro betreiben.',
  reload: 'Neu laden',
  isIn: (organization) => `Das ist in ${organization}`,
  switchEndsCall: (room) => `Dein Anruf in ${room} endet, wenn du wechselst.`,
  switchTo: (organization) => `Wechseln zu ${organization}`,
  accessibility: 'Barrierefreiheit',
  status: 'Status',
  notHere: 'Hier ist nichts',
  notHereAbout: 'Die Adresse ist vielleicht vertippt, oder was hier war, ist weg.',
} satisfies typeof en
