import { shownColleague } from '../../live/shown-colleague.ts'
import './person-name.css'

/** The name of a colleague, which opens their card. */
export function PersonName({ userId, name }: { userId: string; name: string }) {
  return (
    <button
      type="button"
      className="person-name"
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => shownColleague.show({ userId, as: 'card', anchor: currentTarget })}
    >
      {name}
    </button>
  )
}
