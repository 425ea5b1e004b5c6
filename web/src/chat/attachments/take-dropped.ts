import { bringsFiles } from '../../live/page/dropped-files.ts'

interface Taking {
  /** Shown over the panel while files are held above it. */
  label: string
  take(files: readonly File[]): void
}

/** Takes files that are dropped anywhere on a panel; one within it takes its own. @returns ends that */
export function takeDropped(
  panel: Pick<HTMLElement, 'addEventListener' | 'removeEventListener' | 'dataset' | 'contains'>,
  { label, take }: Taking,
): () => void {
  const unmark = () => {
    delete panel.dataset.drop
  }
  const over = (event: DragEvent) => {
    if (!bringsFiles(event)) return unmark()
    event.preventDefault()
    panel.dataset.drop = label
  }
  const leave = ({ relatedTarget }: DragEvent) => {
    if (!panel.contains(relatedTarget as Node | null)) unmark()
  }
  const drop = (event: DragEvent) => {
    unmark()
    if (!bringsFiles(event)) return
    event.preventDefault()
    take([...(event.dataTransfer?.files ?? [])])
  }
  panel.addEventListener('dragover', over)
  panel.addEventListener('dragleave', leave)
  panel.addEventListener('drop', drop)
  return () => {
    unmark()
    panel.removeEventListener('dragover', over)
    panel.removeEventListener('dragleave', leave)
    panel.removeEventListener('drop', drop)
  }
}
