import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import { Switch } from '../../ui/fields/switch.tsx'
import { useStageWords } from '../../words/stage.ts'

/** Whether noise is taken out of what one says. @param onChange told after each choice */
export function NoiseSwitch({ onChange }: { onChange?(on: boolean): void }) {
  const { devices: words } = useStageWords()
  const { suppressNoise } = useStore(preferences)
  return (
    <Switch
      label={words.noise}
      hint={words.noiseAbout}
      on={suppressNoise}
      onChange={(on) => {
        preferences.change({ suppressNoise: on })
        onChange?.(on)
      }}
    />
  )
}
