import Type from 'typebox'
import { operation } from './operation.ts'
import { Done, EmailField, MailedCode, Timestamp, User } from './shapes.ts'

const chapter = 'User and avatar'
const session = { kind: 'session' } as const

const CodesMailed = Type.Object({ ...Done.properties, expiresAt: Timestamp })

/** What people do with their account itself. Each step is proven by codes that are mailed. */
export const accountOperations = {
  changeEmail: operation({
    method: 'POST',
    path: '/user/email/change',
    summary: 'Start changing the e-mail address of the account',
    description:
      'Mails a code to the address of the account and one to the new address. Asked again, only the newest codes work. The answer is the same whether or not somebody has an account under the new address: its owner is told by mail, and no code works.',
    chapter,
    access: session,
    body: Type.Object({ email: EmailField }),
    replies: { 200: CodesMailed },
    errors: ['single-sign-on-required', 'sign-in-method-not-accepted'],
    budgets: ['sign-in-per-address'],
  }),
  confirmEmailChange: operation({
    method: 'POST',
    path: '/user/email/change/confirm',
    summary: 'Finish changing the e-mail address of the account',
    description:
      'Takes the code of the previous address (`code`) and that of the new one (`newCode`). Every other session ends, and sign-ins at other providers have to be linked again. Five tries.',
    chapter,
    access: session,
    body: Type.Object({ code: MailedCode, newCode: MailedCode }),
    replies: { 200: User },
    errors: ['invalid-code', 'single-sign-on-required', 'sign-in-method-not-accepted'],
  }),
  deleteAccount: operation({
    method: 'POST',
    path: '/user/delete',
    summary: 'Start deleting the account',
    description: 'Mails a code to the address of the account. Nothing is deleted yet.',
    chapter,
    access: session,
    replies: { 200: CodesMailed },
    errors: ['last-admin', 'sign-in-method-not-accepted'],
    budgets: ['sign-in-per-address'],
  }),
  confirmAccountDeletion: operation({
    method: 'POST',
    path: '/user/delete/confirm',
    summary: 'Delete the account',
    description:
      'Ends everything the person is signed in to and takes them out of every organization at once; whatever is stored of them is erased within a day. An organization in which they are alone is deleted with them. Five tries.',
    chapter,
    access: session,
    body: Type.Object({ code: MailedCode }),
    replies: { 204: null },
    errors: ['invalid-code', 'last-admin', 'sign-in-method-not-accepted'],
  }),
} as const
