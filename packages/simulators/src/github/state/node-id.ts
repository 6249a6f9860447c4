/** An opaque id in the form of GitHub's older ones: the kind and the number, encoded. @see https://docs.github.com/graphql/guides/using-global-node-ids */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64');
}

/** The number in an id of this kind; null for any other id. */
export function parseNodeId(kind: string, id: string): number | null {
  const text = Buffer.from(id, 'base64').toString('utf8');
  const prefix = `0${kind.length}:${kind}`;
  const number = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return /^\d+$/.test(number) ? Number(number) : null;
}
