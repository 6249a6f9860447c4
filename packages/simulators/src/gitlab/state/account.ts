/** An account, as everything that it does names it. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly bot: boolean;
  readonly createdAt: string;
  /** A deleted account's doings are shown as the ghost's. */
  isDeleted: boolean;
}
