/** Modes of everything that is kept: conversations hold private code, and are for the own account alone. */
export const privateFile = 0o600;
export const privateDirectory = 0o700;
