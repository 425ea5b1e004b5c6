import type { en } from '../en/directory.ts'

export const de = {
  loading: 'Wird geladen',
  failed: 'Das konnte nicht gelesen werden.',
  refusals: 'Verzeichnissen abgelehnt',
  refusalsAbout:
    'Was ein Verzeichnis verlangt und nicht bekommen hat, das Neueste zuerst. Im Prüfprotokoll steht alles.',
  noRefusals: 'Nichts wurde abgelehnt.',
  refused: (request) => `Abgelehnt: ${request}`,
  somebody: 'Jemand',
  done: {
    deactivated: 'Trotzdem getan: Die Person ist kein Mitglied mehr.',
    'role-lowered': 'Trotzdem getan: Die Person hat die niedrigere Rolle.',
    'members-removed': 'Trotzdem getan: Wer nicht mehr genannt ist, ist nicht mehr in der Gruppe.',
  },
  reasons: {
    uniqueness: 'Der userName oder die Adresse ist vergeben.',
    mutability: 'Es sagt etwas, das nur dieses Büro sagt, oder nimmt weg, was nötig ist.',
    invalidPath: 'Es nennt ein Attribut, das es nicht gibt.',
    invalidValue: 'Ein Wert passt nicht.',
    invalidSyntax: 'Es war nicht lesbar.',
    invalidFilter: 'Der Filter war nicht lesbar.',
    noTarget: 'Es ändert einen Wert, der nicht da ist.',
    tooMany: 'Es verlangt zu viel auf einmal.',
    'domain-not-proven': 'Die Domain der Adresse ist von dieser Organisation nicht bestätigt.',
    'kept-out':
      'Eine Administratorin, ein Administrator oder der Identitätsanbieter hat diese Person entfernt. Lade sie neu ein.',
    'last-admin': 'Niemand bliebe, um die Organisation zu verwalten.',
    'changed-meanwhile': 'Es wurde inzwischen geändert.',
    'not-found': 'Diese Person oder Gruppe gibt es nicht.',
    'method-not-allowed': 'Es verlangt etwas, das dieses Büro nicht tut.',
    'not-supported': 'Es verlangt etwas, das dieses Büro nicht tut.',
  },
  waits:
    'Das Verzeichnis führt jemanden als inaktiv, der diesen Namen hatte, und sagt nicht, dass es dieselbe Person ist. Entscheide; danach versucht es das Verzeichnis noch einmal.',
  restore: 'Dieselbe Person',
  restoreTitle: (name) => `${name} ist zurück?`,
  restoreAbout: 'Sie ist wieder Mitglied, mit der Rolle von vorher und allem, was ihr gehört.',
  release: 'Eine andere Person',
  releaseTitle: (name) => `Jemand Neues namens ${name}?`,
  releaseAbout:
    'Name und Adresse sind frei für jemand Neuen, der nichts von der früheren Person sieht. Im früheren Konto meldet sich niemand mehr an.',
} satisfies typeof en
