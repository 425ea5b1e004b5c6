/** Of what stands in place of a screen: on the first page that anybody loads. */
export const en = {
  loading: 'One moment',
  tryAgain: 'Try again',
  toOffice: 'To the office',
  away: 'The office does not answer',
  awayAbout:
    'Nothing is lost: what you wrote waits here, and is sent when the office answers. This page comes back by itself.',
  brokenTitle: 'Something went wrong here',
  brokenAbout: 'Load the page again. If it happens twice, tell whoever runs this office.',
  reload: 'Load again',
  isIn: (organization: string): string => `That is in ${organization}`,
  switchEndsCall: (room: string): string => `Your call in ${room} ends when you switch.`,
  switchTo: (organization: string): string => `Switch to ${organization}`,
  accessibility: 'Accessibility',
  status: 'Status',
  notHere: 'There is nothing here',
  notHereAbout: 'The address may be mistyped, or what was here is gone.',
}
