export const en = {
  title: 'How this office works',
  loading: 'Loading',
  failed: 'This could not be read.',
  saved: 'Saved',
  guestAdmission: 'Who lets guests in',
  admissions: {
    admin: 'Administrators',
    moderator: 'Moderators and administrators',
    member: 'Everybody but guests of the team',
  },
  language: 'Language of mails to people whose language is not known',
  agents: 'Programs may come into rooms',
  agentsHint: 'Assistants that listen, write along or answer.',
}
