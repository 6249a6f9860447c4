/**
 * Gives the message of whatever was thrown, which need not be an error.
 *
 * @example
 * toErrorMessage(new Error('The disk is full.')); // 'The disk is full.'
 * toErrorMessage('no'); // 'no'
 */
export function toErrorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  // An error of another realm, such as a worker's, is no instance of ours.
  const { message } = (thrown ?? {}) as { readonly message?: unknown };
  if (typeof message === 'string') return message;
  try {
    return String(thrown);
  } catch {
    return 'an object without a message';
  }
}
