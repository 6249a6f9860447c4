/** What is commonly done: one expression after the other, without knowing what is code. */
export function naiveClean(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\[[^\]]*\]:\s*(?:#|<>)\s*(?:\(.*\)|".*"|'.*')\s*$/gm, '')
    .replace(/!\[[^\]]*\]\(/g, '![](')
    .replace(/(\[[^\]]*\]\([^)\s]+)\s+(?:"[^"]*"|'[^']*')\)/g, '$1)')
    .replace(/\s(?:alt|title|placeholder|aria-label|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '')
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<(\w+)[^>]*(?:\shidden\b|display:\s*none)[^>]*>[\s\S]*?<\/\1>/gi, '')
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .replace(/[\u{E0000}-\u{E007F}]/gu, '')
    .replace(/[\u{E0100}-\u{E01EF}]/gu, '')
    .replace(/(?![\t\n\r])\p{Cc}/gu, '');
}
