import type { ImageOwner } from '../../directory/image-tries.ts'
import { HOUR_SECONDS } from '../../platform/clock.ts'
import { UPLOAD_BYTES_MAX } from '../../platform/http/input/upload-size.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Visitor } from '../caller.ts'
import type { CountedLimits, Draw } from './counted-limits.ts'
import { drawAll, type OpenLimiter, requireLeft } from './draws.ts'
import type { OrganizationLimits } from './organization-limits.ts'

export interface UploadBudget {
  /**
   * Before an upload address is given: draws all that it can bring, for only some stores would say how much it brought.
   * @throws Refusal too-many; invalid, where no time that passes would help
   */
  drawUpload(visitor: Visitor, owner: ImageOwner): Promise<void>
  /** Once it is known how much was uploaded: gives the rest back. */
  settleUpload(owner: ImageOwner, bytes: number): Promise<void>
  /**
   * Before addresses for a file are given: draws its bytes, of the person and of the organization.
   * @throws Refusal too-many; too-large, where no time that passes would help
   */
  drawFile(
    visitor: Pick<Visitor, 'tellLimit'>,
    owner: { user: UserId; organization: OrganizationId },
    bytes: number,
  ): Promise<void>
}

/** Bytes of images and files. */
export function uploadBudget(
  { refundable }: OpenLimiter,
  sizes: { uploadBytesPerUser: number },
  counted: CountedLimits,
  limits: OrganizationLimits,
): UploadBudget {
  const avatarBytes = refundable('upload-bytes', sizes.uploadBytesPerUser, HOUR_SECONDS)
  const uploadsOf = ({ kind, id }: ImageOwner): Draw =>
    kind === 'user' ? { limiter: avatarBytes, key: `user ${id}` } : counted.ofOrganization('logo-bytes', id)

  return {
    async drawUpload(visitor, owner) {
      const { limiter, key } = uploadsOf(owner)
      const taken = await limiter.take(key, UPLOAD_BYTES_MAX)
      // what is refused brings nothing, and must not stand against what comes once images are judged
      if (!taken.allowed) await limiter.giveBack(key, UPLOAD_BYTES_MAX)
      if (taken.limit > 0 && taken.limit < UPLOAD_BYTES_MAX) throw neverAnUpload(taken.limit)
      requireLeft(taken, visitor)
    },
    async settleUpload(owner, bytes) {
      const unused = UPLOAD_BYTES_MAX - bytes
      const { limiter, key } = uploadsOf(owner)
      if (unused > 0) await limiter.giveBack(key, unused)
    },
    async drawFile(visitor, { user, organization }, bytes) {
      const least = ['file-bytes-per-person', 'file-bytes'] as const
      const sizes = least.map((name) => limits.of(organization, name, user)).filter((size) => size > 0)
      if (Math.min(...sizes) < bytes) throw neverThisFile(Math.min(...sizes))
      const ofPerson = counted.ofPerson('file-bytes-per-person', user, organization)
      await drawAll([ofPerson, counted.ofOrganization('file-bytes', organization)], visitor, bytes)
    },
  }
}

function neverAnUpload(limit: number): Refusal {
  const message = `Nothing can be uploaded here: the limit is ${limit} bytes an hour, and an upload counts as ${UPLOAD_BYTES_MAX} until it is checked. The operator of this office can raise it`
  return Refusal.of('upload-limit-too-small', { message })
}

function neverThisFile(limit: number): Refusal {
  return Refusal.of('too-large', { message: `A file has at most ${limit} bytes here` })
}
