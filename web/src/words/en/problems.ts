export const en = {
  unreachable: 'The office does not answer. Check your connection and try again.',
  unexpected: 'Something went wrong here. Load the page again.',
  tooMany: (seconds: number): string =>
    seconds < 90
      ? `Too many attempts. Wait ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`
      : `Too many attempts. Wait ${Math.ceil(seconds / 60)} minutes.`,
  refusals: {
    'invalid-code': 'This code is wrong or has expired. The newest one counts.',
    'too-many-organizations': 'You have founded as many organizations as one person may.',
    'last-admin': 'An office needs at least one administrator.',
  } as Record<string, string>,
}
