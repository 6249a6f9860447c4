/** Something that the person at the terminal can put right; shown without a stack. */
export class DemoError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DemoError';
  }
}
