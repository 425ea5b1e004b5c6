import { packaged } from '../postgres/packaged.ts'

/** A server of its own, by DATABASE_URL. */
export const DATABASE = packaged('17.10.0-beta.17')
