export interface ChoiceGroup {
  /** Above its choices; none where there is one group only. */
  title?: string
  options: readonly { id: string; label: string }[]
}

/** Several of a list, each with a box: what a token may do, which events an endpoint gets. */
export function Choices({
  label,
  groups,
  chosen,
  onChange,
}: {
  label: string
  groups: readonly ChoiceGroup[]
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}) {
  const toggle = (one: string) =>
    onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {groups.map(({ title, options }) => (
        <div key={title ?? ''} className="choices-group">
          {title !== undefined && <h3>{title}</h3>}
          {options.map(({ id, label: text }) => (
            <label key={id}>
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
              <span>{text}</span>
            </label>
          ))}
        </div>
      ))}
    </fieldset>
  )
}
