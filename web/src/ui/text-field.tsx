import type { RefObject } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField'
import './text-field.css'

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  label: string
  /** A sentence below it. */
  hint?: string | undefined
  /** What is wrong with what was entered. */
  problem?: string | undefined
  placeholder?: string
  /** Several lines. */
  rows?: number
  fieldRef?: RefObject<HTMLInputElement | null>
}

export function TextField({ label, hint, problem, placeholder, rows, fieldRef, ...rest }: TextFieldProps) {
  const more = placeholder === undefined ? {} : { placeholder }
  return (
    <AriaTextField
      {...rest}
      isInvalid={problem !== undefined}
      className="text-field"
      validationBehavior="aria"
    >
      <Label>{label}</Label>
      {rows ? (
        <TextArea rows={rows} {...more} />
      ) : (
        <Input {...more} {...(fieldRef ? { ref: fieldRef } : {})} />
      )}
      {hint !== undefined && (
        <Text slot="description" className="text-field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="text-field-problem">{problem}</FieldError>
    </AriaTextField>
  )
}
