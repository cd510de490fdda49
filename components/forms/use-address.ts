import { useEffect } from 'react'

/**
 * Replaces the URL of a page that shows a new object with the object's URL, so that a reload or a bookmark opens the object.
 * @param href undefined until the object exists
 * @param title replaces the first part of the page's title
 */
export function useAddress(href: string | undefined, title: string): void {
  useEffect(() => {
    if (href === undefined) return
    window.history.replaceState(null, '', href)
    document.title = document.title.replace(/^.*?(?= · )/, title)
  }, [href, title])
}
