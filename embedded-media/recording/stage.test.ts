import { TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { expect, it } from 'vitest'
import type { Publication } from '../tracks/publication.ts'
import { chooseStage } from './stage.ts'

const shownBy = (sid: string, source: TrackSource, muted = false) => ({
  publication: { info: new TrackInfo({ source, type: TrackType.VIDEO, muted }) } as Publication,
  person: { sid },
})
const [ada, grace] = [shownBy('ada', TrackSource.CAMERA), shownBy('grace', TrackSource.CAMERA)]
const silent = shownBy('joan', TrackSource.CAMERA, true)
const screen = shownBy('grace', TrackSource.SCREEN_SHARE)
const all = [silent, ada, grace]
const nobody = { shown: undefined, speakers: [] }

it('is the shared screen, also while others speak', () => {
  const stage = { shown: ada.publication, speakers: ['ada'] }
  expect(chooseStage([...all, screen], stage)).toBe(screen.publication)
})

it('is the loudest who has a camera on, and stays where it is while all are silent', () => {
  expect(chooseStage(all, { shown: ada.publication, speakers: ['joan', 'grace', 'ada'] })).toBe(
    grace.publication,
  )
  expect(chooseStage(all, { ...nobody, shown: grace.publication })).toBe(grace.publication)
})

it('is any camera where none was shown, and none where all are off', () => {
  expect(chooseStage(all, nobody)).toBe(ada.publication)
  expect(chooseStage([silent], { ...nobody, shown: silent.publication })).toBeUndefined()
})
