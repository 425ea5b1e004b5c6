import { classNames } from '../../ui/class-names.ts'

/** A number beside what it counts. */
export function Count({ of, sign = '', says }: { of: number; sign?: string; says: string }) {
  return (
    <span className={classNames('shell-count', sign !== '' && 'chat-mentioned')}>
      <span aria-hidden="true">
        {sign}
        {of > 99 ? '99+' : of}
      </span>
      <span className="visually-hidden">{says}</span>
    </span>
  )
}
