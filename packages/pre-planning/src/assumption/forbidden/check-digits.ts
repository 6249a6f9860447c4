/** Whether the last digit fits the others, as on cards. @see ISO/IEC 7812-1, annex B */
export function hasLuhnDigit(number: string): boolean {
  const digits = [...number.replace(/\D/g, '')].toReversed().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit : 2 * digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return digits.length >= 13 && sum % 10 === 0;
}

/** Whether an account's number fits its check digits. @see ISO 13616-1 */
export function hasIbanDigits(account: string): boolean {
  const letters = account.replaceAll(' ', '');
  const moved = letters.slice(4) + letters.slice(0, 4);
  const digits = [...moved].map((letter) => Number.parseInt(letter, 36)).join('');
  return [...digits].reduce((rest, digit) => (10 * rest + Number(digit)) % 97, 0) === 1;
}
