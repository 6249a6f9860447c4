/** Older first: ids are decimal numbers, too large for `number`, that grow with time. */
export function compareIds(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
