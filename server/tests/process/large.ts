/**
 * More text than memory takes minutes: at a release and by hand (`npm run test:engines large`); on each commit the same is
 * done with a part of it.
 */
export const IS_LARGE = process.env.ATRIUM_LARGE === 'yes'
