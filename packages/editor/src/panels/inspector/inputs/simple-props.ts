/** Common props of inputs for values that are written as a whole. */
export interface SimpleProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly isMixed: boolean;
  readonly onChange: (value: unknown) => void;
}
