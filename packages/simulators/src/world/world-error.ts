/** Data that are not what a world needs; the message says where and why. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
}
