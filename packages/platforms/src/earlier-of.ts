/** The earlier of two times (ISO 8601); the first where there is no other. */
export function earlierOf(one: string, other: string | null | undefined): string {
  return other == null || Date.parse(one) <= Date.parse(other) ? one : other;
}
