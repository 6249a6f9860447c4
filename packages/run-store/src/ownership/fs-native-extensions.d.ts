/** Part of the package that is used here: it comes without types. */
declare module 'fs-native-extensions' {
  interface LockOptions {
    readonly shared?: boolean;
  }
  /** False when another open file holds it. */
  export function tryLock(fd: number, offset: number, length: number, options?: LockOptions): boolean;
  export function unlock(fd: number, offset: number, length: number): void;
}
