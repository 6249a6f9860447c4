import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** Reads the names that a fragment of an address can lead to. */
export function readAnchors(html: string): ReadonlySet<string> {
  return new Set(listElements(html).flatMap((element) => attributes(element, ['id', 'name'])));
}

/** Lists the addresses of links and of all that is shown or run. */
export function listReferences(html: string): readonly string[] {
  return listElements(html).flatMap((element) => attributes(element, ['href', 'src']));
}

/** Lists the addresses that a browser fetches to show the page, as opposed to those that it follows when somebody clicks. */
export function listFetched(html: string): readonly string[] {
  return listElements(html)
    .filter(({ tagName }) => tagName !== 'a')
    .flatMap((element) => attributes(element, ['href', 'src', 'srcset', 'poster', 'data']));
}

function listElements(html: string): readonly Element[] {
  const found: Element[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return found;
}

function attributes({ attrs }: Element, names: readonly string[]): readonly string[] {
  return attrs.filter(({ name }) => names.includes(name)).map(({ value }) => value);
}
