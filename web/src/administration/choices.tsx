/** Several of a list, each with a box: what a token may do, which events an endpoint gets. */
export function Choices({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string
  options: readonly string[]
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}) {
  const toggle = (one: string) =>
    onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {options.map((one) => (
        <label key={one}>
          <input type="checkbox" checked={chosen.includes(one)} onChange={() => toggle(one)} />
          <code>{one}</code>
        </label>
      ))}
    </fieldset>
  )
}
