/** Acts when the user does not wait for the clean-up. They run without waiting, since the process exits right after them. */
export class Abandonment {
  readonly #acts: (() => void)[] = [];
  #describe: () => readonly string[] = () => [];

  /** Adds something to end or to remove on this machine. The newest runs first. */
  add(act: () => void): void {
    this.#acts.push(act);
  }

  /** Sets how the remains on the platform are described. */
  describeWith(describe: () => readonly string[]): void {
    this.#describe = describe;
  }

  /** Runs every act, although another one fails. @returns what stays, one line for each item */
  run(): readonly string[] {
    const failed: string[] = [];
    for (const act of this.#acts.splice(0).reverse())
      try {
        act();
      } catch (error) {
        failed.push((error as Error).message);
      }
    return [...this.#describe(), ...failed];
  }
}
