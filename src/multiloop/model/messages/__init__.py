"""Text of messages: values, numbers and suggestions as error messages and summaries show them."""
