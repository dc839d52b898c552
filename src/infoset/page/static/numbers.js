/** Numbers as people read them. The server sends `{text, value}`: exact where that is short. */

const MINUS = "\u2212";

/** The text of a number, with a proper minus sign. */
export function shown(number) {
  if (number === null || number === undefined) return "–";
  return number.text.replace(/^-/, MINUS);
}

/** The same with a sign for what is gained. */
export function change(number) {
  const words = shown(number);
  return number?.value > 0 ? `+${words}` : words;
}

/** A plain number with few digits. */
export function decimal(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const words = Number(value.toFixed(digits)) === 0 ? "0" : String(Number(value.toFixed(digits)));
  return words.replace("-", MINUS);
}

/** A probability as a percentage. */
export function percent(value) {
  if (value === null || value === undefined) return "–";
  const part = Math.abs(value - 1) < 1e-6 ? 100 : value * 100; // sums of rounded numbers
  if (part > 0 && part < 0.1) return "<0.1%";
  if (part < 100 && part > 99.9) return ">99.9%";
  return `${Number(part.toFixed(1))}%`;
}

/** A probability as it is, if it is a short fraction; else as a percentage. */
export function likelihood(probability) {
  if (!probability) return "–";
  return /^\d+\/\d+$/.test(probability.text) && probability.text.length < 8
    ? probability.text
    : percent(probability.value);
}

/** A count with separators. */
export function count(value, one, many = `${one}s`) {
  return `${value.toLocaleString("en")} ${value === 1 ? one : many}`;
}

/** Seconds as people say them. */
export function seconds(value) {
  if (value < 0.1) return "under 0.1 s";
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}
