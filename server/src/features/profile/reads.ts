/** The profile as other features show it to its person. */
export { readUser, type UserViewNeeds } from './user-view.ts'
