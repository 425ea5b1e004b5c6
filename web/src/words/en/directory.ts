export const en = {
  loading: 'Loading',
  failed: 'This could not be read.',
  refusals: 'Refused to directories',
  refusalsAbout:
    'What a directory has asked for and was not given, newest first. The audit trail has all of it.',
  noRefusals: 'Nothing was refused.',
  refused: (request: string): string => `Refused: ${request}`,
  somebody: 'Somebody',
  /** By the word of what was done all the same. */
  done: {
    deactivated: 'Done all the same: they are no member any more.',
    'role-lowered': 'Done all the same: they have the lower role.',
    'members-removed': 'Done all the same: whoever is no longer named is out of the group.',
  } as Record<string, string>,
  /** By the word that the directory was told. */
  reasons: {
    uniqueness: 'The userName or the address is taken.',
    mutability: 'It says something that only this office says, or takes away what is required.',
    invalidPath: 'It names an attribute that there is not.',
    invalidValue: 'A value does not fit.',
    invalidSyntax: 'It could not be read.',
    invalidFilter: 'Its filter could not be read.',
    noTarget: 'It changes a value that is not there.',
    tooMany: 'It asks for too much at once.',
    'domain-not-proven': 'The domain of the address is not proven by this organization.',
    'kept-out': 'An administrator or the identity provider has taken this person out. Invite them anew.',
    'last-admin': 'Nobody would be left to administer the organization.',
    'changed-meanwhile': 'It was changed meanwhile.',
    'not-found': 'There is no such person or group.',
    'method-not-allowed': 'It asks for something that this office does not do.',
    'not-supported': 'It asks for something that this office does not do.',
  } as Record<string, string>,
  waits:
    'The directory holds somebody inactive who had this name, and does not say that it is the same person. Decide, then let the directory try again.',
  restore: 'Same person',
  restoreTitle: (name: string): string => `${name} is back?`,
  restoreAbout: 'They are a member again, with the role they had and all that is theirs.',
  release: 'Another person',
  releaseTitle: (name: string): string => `Somebody new called ${name}?`,
  releaseAbout:
    'The name and the address are free for somebody new, who sees nothing of the former person. Nobody signs in to the former account any more.',
}
