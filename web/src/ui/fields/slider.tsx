import { useId } from 'react'
import './slider.css'

export interface SliderProps {
  label: string
  value: number
  min?: number
  max?: number
  isDisabled?: boolean
  onChange(value: number): void
}

const STEPS = 100

/** The browser's own: arrows, page keys, home and end move it. */
export function Slider({ label, value, min = 0, max = 1, isDisabled = false, onChange }: SliderProps) {
  const id = useId()
  const percent = max > min ? Math.round(((value - min) / (max - min)) * 100) : 0
  return (
    <div className="slider">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        {...{ min, max, value }}
        step={(max - min) / STEPS || 'any'}
        aria-valuetext={`${percent} %`}
        disabled={isDisabled || max <= min}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </div>
  )
}
