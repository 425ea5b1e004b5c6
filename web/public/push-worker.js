// Tells of what the office pushes while no page of it is open, and leads to what it is about. It keeps and serves nothing.
addEventListener('push', (event) => {
  const { title, body, tag, path } = event.data.json()
  event.waitUntil(registration.showNotification(title, { body, tag, icon: '/favicon.svg', data: path }))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data))
})

async function show(path) {
  const [page] = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!page) return await clients.openWindow(path)
  // it goes there by itself: a call that it is in goes on
  page.postMessage({ show: path })
  return await page.focus()
}
