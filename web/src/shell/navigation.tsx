import { useConversations } from '@atrium/react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useMay, useMembership } from '../live/permissions.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { pageTitle } from '../ui/page-title.ts'
import { useShellWords } from '../words/shell.ts'
import { StatusMenu } from './status/status-menu.tsx'
import '../ui/list.css'

/** Where one can go, and oneself. At the side, or at the bottom of a small window. */
export function Navigation() {
  const words = useShellWords()
  const membership = useMembership()
  const may = useMay()
  const { unread } = useConversations()
  const { organization } = membership ?? {}
  useEffect(() => {
    pageTitle.count('messages', unread)
    return () => pageTitle.count('messages', 0)
  }, [unread])
  // a room is on the floor
  const isInRoom = useLocation().pathname.startsWith('/room/')
  return (
    <header className="shell-side">
      <div className="shell-organization">
        {organization?.logoUrl ? (
          <img src={organization.logoUrl} alt="" width="32" height="32" />
        ) : (
          <img src="/favicon.svg" alt="" width="32" height="32" />
        )}
        <span className="list-title">{organization?.name ?? words.office}</span>
      </div>
      <nav aria-label={words.navigation} className="shell-navigation">
        <Entry to={pagePaths.floor} icon="floor" label={words.floor} isWithin={isInRoom} />
        <Entry
          to={pagePaths.chat}
          icon="chat"
          label={words.chat}
          count={unread}
          countLabel={words.unread(unread)}
        />
        <Entry to={pagePaths.calendar} icon="calendar" label={words.calendar} />
        <Entry to={pagePaths.members} icon="people" label={words.members} />
        <Entry to={pagePaths.settings} icon="settings" label={words.settings} isRare />
        {may('EditOrganization') && (
          <Entry to={pagePaths.administration} icon="administration" label={words.administration} isRare />
        )}
      </nav>
      <div className="shell-own">
        <StatusMenu />
      </div>
    </header>
  )
}

interface EntryProps {
  to: (typeof pagePaths)['floor' | 'chat' | 'calendar' | 'members' | 'settings' | 'administration']
  icon: IconName
  label: string
  /** How much waits there. */
  count?: number
  countLabel?: string
  /** In a small window it stands in the menu of oneself. */
  isRare?: boolean
  /** One is at a place of it, if not at it. */
  isWithin?: boolean
}

function Entry({ to, icon, label, count = 0, countLabel, isRare, isWithin }: EntryProps) {
  return (
    <Link
      to={to}
      className={classNames('shell-entry', isRare && 'shell-entry-rare', isWithin && 'shell-entry-within')}
      activeOptions={{ exact: to === '/' }}
      title={label}
    >
      <Icon name={icon} size={22} />
      <span className="shell-entry-label">{label}</span>
      {count > 0 && (
        <span className="shell-count">
          <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
          <span className="visually-hidden">{countLabel}</span>
        </span>
      )}
    </Link>
  )
}
