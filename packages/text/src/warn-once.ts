const warned = new Set<string>();

/** Prints a warning on the console, the first time that this process gives it. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  console.warn(message);
}
