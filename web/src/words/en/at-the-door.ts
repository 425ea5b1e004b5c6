/** Words of the pages before an office: one file of a first visit. */
export { en as instead } from './instead.ts'
export { en as problems } from './problems.ts'
export { en as signIn } from './sign-in.ts'
