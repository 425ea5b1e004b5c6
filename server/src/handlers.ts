import type { Input, OperationId, Reply } from '@atrium/contract'
import type { CallerOf } from './access/caller.ts'
import { createOrganization } from './features/organizations/create-organization.ts'
import { listOrganizations } from './features/organizations/list-organizations.ts'
import { getCurrentUser } from './features/profile/get-current-user.ts'
import { updateProfile } from './features/profile/update-profile.ts'
import { devSignIn } from './features/sign-in/dev-sign-in.ts'
import { finalizeMagicAuth } from './features/sign-in/finalize-magic-auth.ts'
import { resendMagicAuth } from './features/sign-in/resend-magic-auth.ts'
import { selectOrganization } from './features/sign-in/select-organization.ts'
import { signIn } from './features/sign-in/sign-in.ts'
import { signOut } from './features/sign-in/sign-out.ts'
import { signUp } from './features/sign-in/sign-up.ts'
import {
  createAvatarUploadTicket,
  createEarlierAvatarUploadTicket,
} from './features/uploads/create-avatar-upload-ticket.ts'
import { createLogoUploadTicket } from './features/uploads/create-logo-upload-ticket.ts'
import {
  finalizeAvatarUpload,
  finalizeEarlierAvatarUpload,
} from './features/uploads/finalize-avatar-upload.ts'
import { finalizeLogoUpload } from './features/uploads/finalize-logo-upload.ts'
import { removeAvatar } from './features/uploads/remove-avatar.ts'
import { removeLogo } from './features/uploads/remove-logo.ts'

/** Every operation with its handler. One that is missing, or serves another, does not compile. */
export const handlers = {
  signIn,
  devSignIn,
  signUp,
  resendMagicAuth,
  finalizeMagicAuth,
  selectOrganization,
  signOut,
  getCurrentUser,
  getUserInfo: getCurrentUser,
  updateProfile,
  listOrganizations,
  createOrganization,
  createAvatarUploadTicket,
  finalizeAvatarUpload,
  removeAvatar,
  createEarlierAvatarUploadTicket,
  finalizeEarlierAvatarUpload,
  createLogoUploadTicket,
  finalizeLogoUpload,
  removeLogo,
}

type Handlers = typeof handlers

/** All that any handler needs: what `compose.ts` must bring. */
export type HandlerNeeds = {
  [Id in OperationId]: (needs: Parameters<Handlers[Id]>[0]) => void
}[OperationId] extends (needs: infer Needs) => void
  ? Needs
  : never

type HandlerOf<Id extends OperationId> = (
  needs: HandlerNeeds,
  caller: CallerOf<Id>,
  input: Input<Id>,
) => Promise<Reply<Id>>

handlers satisfies { [Id in OperationId]: HandlerOf<Id> }
