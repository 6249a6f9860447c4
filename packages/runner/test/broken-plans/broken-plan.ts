/** An answer that is no good plan, or not written as one. */
export interface BrokenPlan {
  readonly name: string;
  readonly text: string;
  /**
   * `bad`: cannot be carried out. `readable`: is meant as a plan that can, and is read as one. `unclear-goal`: asks back. `any`: what it
   * is depends on where it breaks off.
   */
  readonly expected: 'bad' | 'readable' | 'unclear-goal' | 'any';
}
