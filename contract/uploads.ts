import Type from 'typebox'
import { type Access, operation } from './operation.ts'
import { Done } from './shapes.ts'

const avatars = 'User and avatar'
const logos = 'Organizations and invitations'
const mayEditOrganization = { kind: 'organization', permission: 'EditOrganization' } as const satisfies Access

/** Types of an image that may be uploaded. Another text is refused with 400, anything else with 422. */
export const imageContentTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

const TicketRequest = Type.Object({
  contentType: Type.String({
    // any other text is refused alike
    anyText: true,
    label: 'the content type of the image',
    documented: { enum: imageContentTypes },
  }),
})
const FinalizeRequest = Type.Object({
  tmpKey: Type.String({ minLength: 1, maxLength: 512, description: 'Of the upload ticket' }),
})

export const UploadTicket = Type.Object(
  {
    uploadUrl: Type.String({ description: 'PUT the image here, with the requested type as Content-Type' }),
    tmpKey: Type.String({ description: 'For finalize' }),
    expiresInSeconds: Type.Integer(),
  },
  { title: 'UploadTicket' },
)

const finalizing = 'A try is spent where the upload is there, whatever is wrong with it.'

export const uploadOperations = {
  createAvatarUploadTicket: operation({
    method: 'POST',
    path: '/user/avatar/upload-ticket',
    summary: 'Get an address to upload an avatar to',
    chapter: avatars,
    access: { kind: 'session' },
    body: TicketRequest,
    replies: { 200: UploadTicket },
    errors: [
      'unsupported-content-type',
      'upload-limit-too-small',
      'no-upload-tries-left',
      'too-many-open-uploads',
    ],
    invalidStatus: 422,
  }),
  finalizeAvatarUpload: operation({
    method: 'POST',
    path: '/user/avatar/finalize',
    summary: 'Check an uploaded avatar and put it in place',
    description: finalizing,
    chapter: avatars,
    access: { kind: 'session' },
    body: FinalizeRequest,
    replies: { 200: Type.Object({ avatarUrl: Type.String() }) },
    errors: [
      'sign-in-method-not-accepted',
      'invalid-image',
      'not-your-upload',
      'upload-not-found',
      'no-upload-tries-left',
    ],
    invalidStatus: 422,
  }),
  removeAvatar: operation({
    method: 'POST',
    path: '/user/avatar/remove',
    summary: 'Remove the avatar',
    chapter: avatars,
    access: { kind: 'session' },
    body: Type.Object({}),
    replies: { 204: null },
    errors: ['sign-in-method-not-accepted'],
    invalidStatus: 422,
  }),
  createEarlierAvatarUploadTicket: operation({
    method: 'POST',
    path: '/auth/avatar/upload-ticket',
    summary: 'Get an address to upload an avatar to (earlier path)',
    chapter: avatars,
    access: { kind: 'session' },
    body: TicketRequest,
    replies: { 200: Type.Object({ code: Type.Integer(), message: Type.String(), data: UploadTicket }) },
    errors: [
      'unsupported-content-type',
      'upload-limit-too-small',
      'no-upload-tries-left',
      'too-many-open-uploads',
    ],
    invalidStatus: 422,
    supersededBy: 'createAvatarUploadTicket',
  }),
  finalizeEarlierAvatarUpload: operation({
    method: 'POST',
    path: '/auth/avatar/finalize',
    summary: 'Check an uploaded avatar and put it in place (earlier path)',
    chapter: avatars,
    access: { kind: 'session' },
    body: FinalizeRequest,
    replies: { 200: Type.Object({ ...Done.properties, avatarUrl: Type.String() }) },
    errors: [
      'sign-in-method-not-accepted',
      'invalid-image',
      'not-your-upload',
      'upload-not-found',
      'no-upload-tries-left',
    ],
    invalidStatus: 422,
    supersededBy: 'finalizeAvatarUpload',
  }),
  createLogoUploadTicket: operation({
    method: 'POST',
    path: '/organization/logo/upload-ticket',
    summary: 'Get an address to upload a logo of the active organization to',
    chapter: logos,
    access: mayEditOrganization,
    body: TicketRequest,
    replies: { 200: UploadTicket },
    errors: [
      'unsupported-content-type',
      'upload-limit-too-small',
      'no-upload-tries-left',
      'too-many-open-uploads',
    ],
    invalidStatus: 422,
  }),
  finalizeLogoUpload: operation({
    method: 'POST',
    path: '/organization/logo/finalize',
    summary: 'Check an uploaded logo and put it in place',
    description: finalizing,
    chapter: logos,
    access: mayEditOrganization,
    body: FinalizeRequest,
    replies: { 200: Type.Object({ logoUrl: Type.String() }) },
    errors: ['invalid-image', 'not-your-upload', 'upload-not-found', 'no-upload-tries-left'],
    invalidStatus: 422,
  }),
  removeLogo: operation({
    method: 'POST',
    path: '/organization/logo/remove',
    summary: 'Remove the logo of the active organization',
    chapter: logos,
    access: mayEditOrganization,
    body: Type.Object({}),
    replies: { 204: null },
    invalidStatus: 422,
  }),
} as const
