/** The first eight characters of a run's name, as people see it. */
export function shortenUuid(uuid: string): string {
  return uuid.slice(0, 8);
}
