/** An opaque id in the form of GitHub's older ones: the kind and the number, encoded. @see https://docs.github.com/graphql/guides/using-global-node-ids */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64');
}
