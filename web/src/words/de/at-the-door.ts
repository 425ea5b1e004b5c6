/** Words of the pages before an office: one file of a first visit. */
export { de as instead } from './instead.ts'
export { de as problems } from './problems.ts'
export { de as signIn } from './sign-in.ts'
