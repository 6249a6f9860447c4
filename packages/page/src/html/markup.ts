/** HTML that was put together by `markup`: everything that came into it is escaped. */
export class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

/** Values that may stand in a template. Null, undefined and false are nothing. */
export type Part = Markup | string | number | null | undefined | false | readonly Part[];

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Puts HTML together. Each value is escaped unless it is `Markup`; attributes stand in double quotes.
 *
 * @example
 * String(markup`<p title="${'"'}">${'<b>'}</p>`); // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    strings.reduce(
      (html, string, index) => html + (index === 0 ? '' : render(parts[index - 1])) + string,
      '',
    ),
  );
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.toString();
  if (Array.isArray(part)) return part.map(render).join('');
  return escapeHtml(String(part));
}

/** Escapes a text for content and for attributes in quotes. NUL, which HTML cannot hold, is shown. */
function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (sign) => signs[sign] ?? '')
    .replaceAll('\0', '\u2400');
}
