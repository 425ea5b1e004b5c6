import { openScene, type Scene } from '../embedded-media/scene.ts'
import type { OfficeOfWalks } from './walk.ts'

let opened: Promise<Scene> | undefined

/** Two members of an organization, and a room of it: one scene for all walks, since addresses sign up once. */
export const sceneOf = ({ url }: OfficeOfWalks): Promise<Scene> => (opened ??= openScene(url))
