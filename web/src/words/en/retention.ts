export const en = {
  title: 'How long things are kept',
  loading: 'Loading',
  failed: 'This could not be read.',
  change: 'Change',
  save: 'Save',
  saved: 'Saved',
  chatDays: 'Messages',
  auditDays: 'Audit trail',
  recordingDays: 'Recordings',
  sessionDays: 'Sign-ins',
  inDays: (name: string): string => `${name}, in days`,
  days: (days: number | null): string => (days === null ? 'for ever' : days === 1 ? '1 day' : `${days} days`),
  asDeployment: (days: string): string => `${days}, as set for this office`,
  hint: (least: number, most: string): string =>
    least > 1 ? `At least ${least} days. Empty: ${most}` : `Empty: ${most}`,
  about:
    'What is older is deleted within an hour and cannot be brought back. Recordings under legal hold stay. Whoever has been signed in for longer signs in again.',
}
