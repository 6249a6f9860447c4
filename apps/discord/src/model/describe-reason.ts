/** Why something on the network failed: fetch hides it in a chain of causes. */
export function describeReason(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = (last ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}
